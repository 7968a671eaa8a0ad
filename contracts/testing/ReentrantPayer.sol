// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {FinancingRouter} from "../FinancingRouter.sol";
import {ITransferCallback} from "./CallbackToken.sol";

/// @notice A payer that calls the router again while its own settlement moves money, and keeps what the router said.
contract ReentrantPayer is ITransferCallback {
    FinancingRouter private immutable _router;
    IERC20 private immutable _token;
    bytes private _callAgain;
    bytes public refusal;

    constructor(FinancingRouter router, IERC20 token) {
        _router = router;
        _token = token;
        token.approve(address(router), type(uint256).max);
    }

    function settleAndCallAgain(bytes32 claimId, bytes calldata callAgain) external {
        _callAgain = callAgain;
        _router.settle(claimId, address(_token), type(uint256).max);
    }

    function beforeTransfer() external {
        (bool accepted, bytes memory answer) = address(_router).call(_callAgain);
        if (!accepted) refusal = answer;
    }
}
